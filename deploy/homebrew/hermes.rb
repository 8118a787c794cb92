# The formula of a release for Homebrew: .ci/archives fills in the version and the checksums.
class Hermes < Formula
  desc "Carries OpenCode's questions to Telegram, and the answers back"
  homepage "https://ADDRESS-OF-THIS-REPOSITORY"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "https://ADDRESS-OF-THIS-REPOSITORY/releases/download/v@VERSION@/hermes_darwin_arm64.tar.gz"
      sha256 "@darwin_arm64@"
    end
    on_intel do
      url "https://ADDRESS-OF-THIS-REPOSITORY/releases/download/v@VERSION@/hermes_darwin_amd64.tar.gz"
      sha256 "@darwin_amd64@"
    end
  end

  on_linux do
    on_arm do
      url "https://ADDRESS-OF-THIS-REPOSITORY/releases/download/v@VERSION@/hermes_linux_arm64.tar.gz"
      sha256 "@linux_arm64@"
    end
    on_intel do
      url "https://ADDRESS-OF-THIS-REPOSITORY/releases/download/v@VERSION@/hermes_linux_amd64.tar.gz"
      sha256 "@linux_amd64@"
    end
  end

  def install
    bin.install "hermes"
    man1.install Dir["man/*.1"]
    bash_completion.install "completion/hermes.bash" => "hermes"
    zsh_completion.install "completion/hermes.zsh" => "_hermes"
    fish_completion.install "completion/hermes.fish"
  end

  test do
    assert_match "hermes v#{version} ", shell_output("#{bin}/hermes --version")
  end
end
