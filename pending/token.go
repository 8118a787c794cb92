package pending

import "hermes/pending/kv"

// KeepToken notes that Telegram took the token for which this mark stands. The mark must
// not lead back to the token.
func (s *Store) KeepToken(mark string) error {
	return s.update(func(tx kv.Tx) error {
		return tx.Bucket(bucketMeta).Put([]byte(metaToken), []byte(mark))
	})
}

// Token returns the mark that KeepToken noted last; empty if it never did.
func (s *Store) Token() (mark string, err error) {
	err = s.view(func(tx kv.Tx) error {
		mark = string(tx.Bucket(bucketMeta).Get([]byte(metaToken)))
		return nil
	})
	return mark, err
}
