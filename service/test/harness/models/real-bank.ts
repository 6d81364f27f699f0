import type { CamtEntry } from '../money/camt053.ts'
import { readRefundFile } from '../money/refund-file.ts'

/** A payment that really arrived. */
interface RealCredit {
  readonly iban: string
  readonly amount: bigint
}

/**
 * The truth at the bank, whatever the service believes: who paid, which transfers were executed, and which of them came
 * back. Only real entries have its references, so that forged ones differ.
 */
export class RealBank {
  readonly credits = new Map<string, RealCredit>()
  /** Number of times that the transfer of a refund was executed and did not come back, by end-to-end id. */
  readonly #executed = new Map<string, number>()
  readonly #files = new Set<string>()
  readonly #random: () => number
  #unreported: CamtEntry[] = []
  #entries = 0

  constructor(random: () => number) {
    this.#random = random
  }

  receive(payment: { amount: bigint; payerName: string; payerIban: string; text: string }): void {
    const { amount, ...payer } = payment
    const bankReference = this.#reference()
    this.credits.set(bankReference, { iban: payer.payerIban, amount })
    this.#unreported.push({ amount: decimal(amount), bankReference, ...payer })
  }

  /** Executes each file once: a bank knows its message id. A third of the transfers come back. */
  execute(payoutId: string, xml: string): void {
    if (this.#files.has(payoutId)) return
    this.#files.add(payoutId)
    for (const { amount, endToEndId } of readRefundFile(xml).blocks.flatMap(({ transfers }) => transfers)) {
      this.#unreported.push({ amount, isDebit: true, endToEndId, bankReference: this.#reference() })
      const isReturned = this.#random() < 1 / 3
      if (isReturned)
        this.#unreported.push({ amount, endToEndId, returnCode: 'AC04', bankReference: this.#reference() })
      else this.#executed.set(endToEndId, this.timesPaid(endToEndId) + 1)
    }
  }

  timesPaid(endToEndId: string): number {
    return this.#executed.get(endToEndId) ?? 0
  }

  /** Returns the entries since the last statement. */
  takeUnreported(): CamtEntry[] {
    const entries = this.#unreported
    this.#unreported = []
    return entries
  }

  #reference(): string {
    this.#entries += 1
    return `R${this.#entries}R`
  }
}

function decimal(minor: bigint): string {
  const text = String(minor).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}
