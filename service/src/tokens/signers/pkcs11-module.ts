import { createRequire } from 'node:module'
import type { PKCS11 } from 'pkcs11js'
import { withTimeout } from '../../platform/base/with-timeout.ts'
import { KeyBackendUnavailable } from './key-backend.ts'

type Pkcs11 = typeof import('pkcs11js')

/** A logged-in session: the PKCS#11 constants, the library's functions and the session handle. */
export interface Pkcs11Session {
  readonly pkcs11: Pkcs11
  readonly library: PKCS11
  readonly handle: Buffer
}

// A network HSM responds in milliseconds. A worker must not wait longer than its lease on the chain op.
const timeoutMs = 5_000
const timedOutCallsMax = 2

/**
 * A PKCS#11 module, used through one session. The session is opened on first use and reopened when it breaks. Calls run
 * one at a time, because a session supports only one active search and one active signature.
 */
export class Pkcs11Module {
  readonly #path: string
  readonly #pin: string
  #session: Pkcs11Session | undefined
  #library: { pkcs11: Pkcs11; library: PKCS11 } | undefined
  #loginError: KeyBackendUnavailable | undefined
  #runningCalls = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor({ path, pin }: { path: string; pin: string }) {
    this.#path = path
    this.#pin = pin
  }

  /** Runs work with a session. If the session turns out to be broken, reopens it and runs the work a second time. */
  use<Result>(work: (session: Pkcs11Session) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#runOrReopen(work))
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Waits for running calls first. */
  async close(): Promise<void> {
    await this.#last
    this.#closeSession()
    const opened = this.#library
    this.#library = undefined
    // The library stays loaded: some modules leave threads running in its code.
    if (opened) quietly(() => opened.library.C_Finalize())
  }

  async #runOrReopen<Result>(work: (session: Pkcs11Session) => Promise<Result>): Promise<Result> {
    // Reopening does not help if the session was opened just now.
    const mayBeBroken = this.#session !== undefined
    try {
      return await this.#run(work)
    } catch (error) {
      // KeyBackendUnavailable includes "key not found": in a logged-out session private keys are invisible.
      const isFromModule = codeOf(error) !== undefined || error instanceof KeyBackendUnavailable
      if (!mayBeBroken || !isFromModule) throw this.#failure(error)
      this.#closeSession()
    }
    return this.#run(work).catch((error) => {
      throw this.#failure(error)
    })
  }

  async #run<Result>(work: (session: Pkcs11Session) => Promise<Result>): Promise<Result> {
    // Each call that timed out still blocks one of the process's four libuv threads, which file and DNS access share.
    if (this.#runningCalls >= timedOutCallsMax)
      throw new KeyBackendUnavailable(
        'The module of PKCS11_MODULE no longer responds: repair it and restart the process.',
      )
    const session = this.#session ?? this.#open()
    this.#runningCalls += 1
    const call = async () => {
      try {
        return await work(session)
      } finally {
        this.#runningCalls -= 1
      }
    }
    return withTimeout(call(), timeoutMs)
  }

  #failure(error: unknown): KeyBackendUnavailable {
    if (error instanceof KeyBackendUnavailable) return error
    const code = codeOf(error)
    // A call that timed out may still use the session, and closing it would block as well: abandon it.
    if (code === undefined) this.#session = undefined
    else this.#closeSession()
    const reason = code === undefined ? '' : ` It returned ${(error as Error).message}.`
    const message = `The module of PKCS11_MODULE failed: check that its token is present.${reason}`
    return new KeyBackendUnavailable(message, { cause: error })
  }

  #open(): Pkcs11Session {
    // A token locks itself after a few wrong PINs, so a worker that retries must not log in again.
    if (this.#loginError) throw this.#loginError
    this.#library ??= load(this.#path)
    const { pkcs11, library } = this.#library
    // Runs every time: another part of the process, or the module itself, may have finalized the library.
    allowing(pkcs11.CKR_CRYPTOKI_ALREADY_INITIALIZED, () =>
      // Signing runs on another thread.
      library.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK }),
    )
    const handle = library.C_OpenSession(onlyToken(pkcs11, library), pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
    try {
      allowing(pkcs11.CKR_USER_ALREADY_LOGGED_IN, () => library.C_Login(handle, pkcs11.CKU_USER, this.#pin))
    } catch (error) {
      quietly(() => library.C_CloseSession(handle))
      const wrong: unknown[] = [pkcs11.CKR_PIN_INCORRECT, pkcs11.CKR_PIN_LEN_RANGE, pkcs11.CKR_PIN_INVALID]
      if (wrong.includes(codeOf(error)))
        this.#loginError = new KeyBackendUnavailable(
          'PKCS11_PIN is not the PIN of the token: set the right one and restart. The process does not retry the ' +
            'wrong PIN, because a token locks itself after a few failed logins.',
        )
      if (codeOf(error) === pkcs11.CKR_PIN_LOCKED)
        this.#loginError = new KeyBackendUnavailable(
          "The token of PKCS11_MODULE is locked: unlock it with its security officer's PIN and restart.",
        )
      throw this.#loginError ?? error
    }
    this.#session = { pkcs11, library, handle }
    return this.#session
  }

  #closeSession(): void {
    const session = this.#session
    this.#session = undefined
    if (session) quietly(() => session.library.C_CloseSession(session.handle))
  }
}

/** Loaded on first use: pkcs11js is a compiled addon that installations without an HSM may lack. */
function load(path: string): { pkcs11: Pkcs11; library: PKCS11 } {
  let pkcs11: Pkcs11
  try {
    pkcs11 = createRequire(import.meta.url)('pkcs11js') as Pkcs11
  } catch (error) {
    throw new KeyBackendUnavailable(
      'PKCS11_MODULE is set, but the package pkcs11js could not be built here: install a C++ compiler, make and ' +
        'Python, and run npm ci again.',
      { cause: error },
    )
  }
  const library = new pkcs11.PKCS11()
  try {
    library.load(path)
  } catch (error) {
    throw new KeyBackendUnavailable(
      'PKCS11_MODULE cannot be loaded: set it to the path of the PKCS#11 library of your HSM, and make sure that ' +
        'this user can read it.',
      { cause: error },
    )
  }
  return { pkcs11, library }
}

/** Rejects several tokens instead of choosing one, which could create the key in the wrong token. */
function onlyToken(pkcs11: Pkcs11, library: PKCS11): Buffer {
  const isInitialized = (slot: Buffer) => library.C_GetTokenInfo(slot).flags & pkcs11.CKF_TOKEN_INITIALIZED
  const [slot, ...others] = library.C_GetSlotList(true).filter(isInitialized)
  if (!slot)
    throw new KeyBackendUnavailable('The module of PKCS11_MODULE has no token: initialize one and set its user PIN.')
  if (others.length > 0)
    throw new KeyBackendUnavailable(
      'The module of PKCS11_MODULE has more than one token: configure it to show only the token of this service.',
    )
  return slot
}

function allowing(code: number, call: () => void): void {
  try {
    call()
  } catch (error) {
    if (codeOf(error) !== code) throw error
  }
}

function quietly(call: () => void): void {
  try {
    call()
  } catch {
    // Already closed, which is the goal.
  }
}

/** Returns the module's return code (CKR_…), or undefined if the error is not from the module. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && error.name === 'Pkcs11Error' ? (error as Error & { code: number }).code : undefined
}
