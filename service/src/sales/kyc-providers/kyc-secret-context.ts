/** The vault context of a KYC provider's secrets, so that no other box can be opened as one of them. */
export function kycSecretContext(providerId: string): string {
  return `kyc provider ${providerId} secret`
}
