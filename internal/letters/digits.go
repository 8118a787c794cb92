package letters

// Narrow turns full-width digits (U+FF10 to U+FF19) into ASCII.
func Narrow(r rune) rune {
	if r >= '\uff10' && r <= '\uff19' {
		return r - '\uff10' + '0'
	}
	return r
}
