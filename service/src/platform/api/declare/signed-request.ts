import type { SignedServices } from './services.ts'

/** The input of a signature check: the unparsed request. */
export interface SignedRequest {
  /** Not validated yet. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Signer of a request. The rate limit counts the requests of one sender together. */
export interface Sender {
  readonly tenantId: string
  readonly id: string
}

/** Returns the sender of a validly signed request, otherwise undefined. */
export type Verify<Who extends Sender> = (request: SignedRequest, services: SignedServices) => Promise<Who | undefined>
