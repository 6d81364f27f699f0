/** Returns the encryption context of a KYC provider's secrets, so that no other value can be opened as one of them. */
export function kycSecretContext(providerId: string): string {
  return `kyc provider ${providerId} secret`
}
