package secret

// Mask is what is shown in place of a secret.
const Mask = "***"
