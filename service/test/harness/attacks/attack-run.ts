import { withTimeout } from '../../../src/platform/base/with-timeout.ts'
import type { Attack, AttackResult } from './attack.ts'
import { AttackStack } from './attack-stack.ts'
import * as chains from './chains.ts'
import * as distributions from './distributions.ts'
import * as forgedRequests from './forged-requests.ts'
import * as heldConnections from './held-connections.ts'
import { largeBankFile } from './large-bank-file.ts'
import * as loneClerks from './lone-clerks.ts'
import * as providers from './providers.ts'
import * as redirectedMoney from './redirected-money.ts'
import * as rulesOfSale from './rules-of-sale.ts'
import * as stolenAccess from './stolen-access.ts'
import * as tokenPowers from './token-powers.ts'
import * as unsafeSettings from './unsafe-settings.ts'
import * as usedUpLimits from './used-up-limits.ts'

/** Every export of these modules is an attack. */
const subjects: readonly Readonly<Record<string, Attack>>[] = [
  heldConnections,
  forgedRequests,
  unsafeSettings,
  usedUpLimits,
  stolenAccess,
  loneClerks,
  redirectedMoney,
  providers,
  rulesOfSale,
  chains,
  tokenPowers,
  // Run after the attacks that mint: their register says that the chain is far ahead.
  distributions,
  // Runs last, because the worker is busy with it afterwards.
  { largeBankFile },
]
const attacks = subjects.flatMap((attacksOfSubject) => Object.values(attacksOfSubject))

const attackMsMax = 180_000

export interface ReplayedAttack extends AttackResult {
  readonly name: string
  readonly ms: number
}

/** Replays the attacks one after the other against a new installation, and reports each when it is over. */
export async function replayAttacks(
  { isShort, only }: { isShort: boolean; only?: string | undefined },
  report: (replayed: ReplayedAttack) => void = () => {},
): Promise<ReplayedAttack[]> {
  const stack = await AttackStack.create()
  const replayed: ReplayedAttack[] = []
  try {
    for (const attack of attacks.filter((one) => (!isShort || one.isShort) && one.name.includes(only ?? ''))) {
      const startedAt = performance.now()
      const result = await withTimeout(attack.run(stack), attackMsMax).catch((error: Error) => ({
        isDefended: false,
        observed: `the attack could not be carried out: ${error.message}`,
      }))
      replayed.push({ name: attack.name, ...result, ms: performance.now() - startedAt })
      report(replayed.at(-1) as ReplayedAttack)
    }
  } finally {
    await stack.end()
  }
  return replayed
}

/** Formats one line per attack, as `npm run drill -- attack` prints it. */
export function attackLine({ name, isDefended, observed, ms }: ReplayedAttack): string {
  return `${isDefended ? 'held' : 'OPEN'}  ${name}: ${observed} (${(ms / 1000).toFixed(1)} s)`
}
