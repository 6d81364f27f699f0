/** Binds the encrypted secret to its endpoint: it does not decrypt when copied to another row. */
export function sealedForEndpoint(endpointId: string): string {
  return `webhook_endpoint ${endpointId} secret`
}

/** Longest time after a rotation for which messages also carry the signature of the previous secret. */
export const secretOverlapHoursMax = 24
