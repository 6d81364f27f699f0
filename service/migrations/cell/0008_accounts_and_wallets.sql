-- What a wallet can be asked to prove: open while it is pending, and used up with the first answer.
alter table cell.wallet
  add constraint wallet_challenge_is_whole check ((challenge_nonce is null) = (challenge_expires_at is null)),
  add constraint wallet_challenge_is_open check (status = 'PENDING' or challenge_nonce is null);
