import { createRequire } from 'node:module'
import type { PKCS11 } from 'pkcs11js'
import type { Config } from '../../platform/base/config.ts'
import { OwnError } from '../../platform/base/log.ts'
import { withTimeout } from '../../platform/base/with-timeout.ts'

type Pkcs11 = typeof import('pkcs11js')

/** The module cannot be used; the sentence says what to do about it. */
export class ModuleUnavailable extends OwnError {
  override readonly name = 'ModuleUnavailable'
}

/** What work in the module is given: the calls, the names of their constants, and a session that is logged in. */
export interface ModuleSession {
  readonly pkcs11: Pkcs11
  readonly library: PKCS11
  readonly handle: Buffer
}

// A module on the network answers in milliseconds. A submitter must not be held for longer than its lease.
const answerMs = 5_000
const unansweredMax = 2

/**
 * The module that keeps keys (PKCS#11), through one session that is opened when it is first needed and opened anew when
 * it breaks. One call at a time: a session has one search and one signature under way, not several.
 */
export class Pkcs11Module {
  readonly #path: string
  readonly #pin: string
  #session: ModuleSession | undefined
  #library: { pkcs11: Pkcs11; library: PKCS11 } | undefined
  #refusal: ModuleUnavailable | undefined
  #unanswered = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor({ path, pin }: { path: string; pin: string }) {
    this.#path = path
    this.#pin = pin
  }

  /** The one that the settings name, if they name one. */
  static of({ pkcs11Module, pkcs11Pin }: Pick<Config, 'pkcs11Module' | 'pkcs11Pin'>): Pkcs11Module | undefined {
    if (pkcs11Module === undefined) return undefined
    if (pkcs11Pin === undefined) throw new Error('settings with a module and without its PIN')
    return new Pkcs11Module({ path: pkcs11Module, pin: pkcs11Pin })
  }

  /** Runs work that may be run twice: a session that turns out to be broken is opened anew, once. */
  use<Result>(work: (session: ModuleSession) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() => this.#turn(work))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#last
    this.#closeSession()
    const opened = this.#library
    this.#library = undefined
    // Not unloaded: some modules leave threads behind that still run in their code.
    if (opened) quietly(() => opened.library.C_Finalize())
  }

  async #turn<Result>(work: (session: ModuleSession) => Promise<Result>): Promise<Result> {
    // A session that has just been opened is not made better by another one.
    const mayBeBroken = this.#session !== undefined
    try {
      return await this.#run(work)
    } catch (error) {
      // Also when a key is not found: in a session that was logged out keys are not refused, they are invisible.
      const isAnswer = codeOf(error) !== undefined || error instanceof ModuleUnavailable
      if (!mayBeBroken || !isAnswer) throw this.#failure(error)
      this.#closeSession()
    }
    return this.#run(work).catch((error) => {
      throw this.#failure(error)
    })
  }

  async #run<Result>(work: (session: ModuleSession) => Promise<Result>): Promise<Result> {
    // Each holds a thread of the process, of which there are four, and files and names need them too.
    if (this.#unanswered >= unansweredMax)
      throw new ModuleUnavailable('The module of PKCS11_MODULE has stopped answering: see to it, and start again.')
    const session = this.#session ?? this.#open()
    this.#unanswered += 1
    const answer = async () => {
      try {
        return await work(session)
      } finally {
        this.#unanswered -= 1
      }
    }
    return withTimeout(answer(), answerMs)
  }

  #failure(error: unknown): ModuleUnavailable {
    if (error instanceof ModuleUnavailable) return error
    const code = codeOf(error)
    // What has not answered may hold the session, and closing it would wait too: it is left to the module.
    if (code === undefined) this.#session = undefined
    else this.#closeSession()
    const said = code === undefined ? '' : ` It said ${(error as Error).message}.`
    const what = `The module of PKCS11_MODULE does not work: see to it that its token is there.${said}`
    return new ModuleUnavailable(what, { cause: error })
  }

  #open(): ModuleSession {
    // A token locks itself after a few wrong PINs, and a worker tries for ever.
    if (this.#refusal) throw this.#refusal
    this.#library ??= load(this.#path)
    const { pkcs11, library } = this.#library
    // Also when it was before: another part of the process, or the module itself, may have ended it.
    allowing(pkcs11.CKR_CRYPTOKI_ALREADY_INITIALIZED, () =>
      // Signing is on a thread of its own.
      library.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK }),
    )
    const handle = library.C_OpenSession(onlyToken(pkcs11, library), pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
    try {
      allowing(pkcs11.CKR_USER_ALREADY_LOGGED_IN, () => library.C_Login(handle, pkcs11.CKU_USER, this.#pin))
    } catch (error) {
      quietly(() => library.C_CloseSession(handle))
      const wrong: unknown[] = [pkcs11.CKR_PIN_INCORRECT, pkcs11.CKR_PIN_LEN_RANGE, pkcs11.CKR_PIN_INVALID]
      if (wrong.includes(codeOf(error)))
        this.#refusal = new ModuleUnavailable(
          'PKCS11_PIN is not the PIN of the token: set the right one and start again. It is not tried a second time, ' +
            'since a token locks itself after a few wrong ones.',
        )
      if (codeOf(error) === pkcs11.CKR_PIN_LOCKED)
        this.#refusal = new ModuleUnavailable(
          "The token of PKCS11_MODULE is locked: unlock it with its security officer's PIN and start again.",
        )
      throw this.#refusal ?? error
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

/** Only where a module is set: the addon is compiled, and an installation without a module may lack it. */
function load(path: string): { pkcs11: Pkcs11; library: PKCS11 } {
  let pkcs11: Pkcs11
  try {
    pkcs11 = createRequire(import.meta.url)('pkcs11js') as Pkcs11
  } catch (error) {
    throw new ModuleUnavailable(
      'PKCS11_MODULE is set, but the package pkcs11js could not be built here: install a C++ compiler, make and ' +
        'Python, and run npm ci again.',
      { cause: error },
    )
  }
  const library = new pkcs11.PKCS11()
  try {
    library.load(path)
  } catch (error) {
    throw new ModuleUnavailable(
      'PKCS11_MODULE cannot be loaded: set it to the path of the library that belongs to your module, and see to it ' +
        'that this user can read it.',
      { cause: error },
    )
  }
  return { pkcs11, library }
}

/** Guessing among several tokens would put a key where nobody looks for it. */
function onlyToken(pkcs11: Pkcs11, library: PKCS11): Buffer {
  const isInitialized = (slot: Buffer) => library.C_GetTokenInfo(slot).flags & pkcs11.CKF_TOKEN_INITIALIZED
  const [slot, ...others] = library.C_GetSlotList(true).filter(isInitialized)
  if (!slot)
    throw new ModuleUnavailable('The module of PKCS11_MODULE has no token: initialise one, with a PIN for its user.')
  if (others.length > 0)
    throw new ModuleUnavailable(
      'The module of PKCS11_MODULE has more than one token: configure it to show only the one of this service.',
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
    // It is gone already, which is what was wanted.
  }
}

/** What the module answered (CKR_…), or undefined where the error is none of its answers. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && error.name === 'Pkcs11Error' ? (error as Error & { code: number }).code : undefined
}
