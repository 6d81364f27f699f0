import type { AttackStack } from './attack-stack.ts'

/** An attack that once succeeded, replayed over the network. */
export interface Attack {
  /** Action of the attacker. */
  readonly name: string
  /** Part of the short form, which takes seconds and runs in CI. */
  readonly isShort?: boolean
  /** Throws if the attack itself cannot be carried out, which counts as a success of the attacker. */
  readonly run: (stack: AttackStack) => Promise<AttackResult>
}

export interface AttackResult {
  readonly isDefended: boolean
  /** Outcome, with numbers. */
  readonly observed: string
}
