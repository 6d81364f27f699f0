/** The vault context of a provider's secrets, so that the box of one provider cannot be opened as that of another. */
export function signingSecretContext(providerId: string): string {
  return `payment provider ${providerId} secret`
}
