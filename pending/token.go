package pending

import bolt "go.etcd.io/bbolt"

// KeepToken notes that Telegram took the token for which this mark stands. The mark must
// not lead back to the token.
func (s *Store) KeepToken(mark string) error {
	return s.update(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte(bucketMeta)).Put([]byte(metaToken), []byte(mark))
	})
}

// Token returns the mark that KeepToken noted last; empty if it never did.
func (s *Store) Token() (mark string, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		mark = string(tx.Bucket([]byte(bucketMeta)).Get([]byte(metaToken)))
		return nil
	})
	return mark, err
}
