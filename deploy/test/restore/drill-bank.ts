import { type CamtEntry, camt053 } from '../../../service/test/harness/money/camt053.ts'
import { readRefundFile } from '../../../service/test/harness/money/refund-file.ts'

const dayOf = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/** A bank that never forgets: it books payments, executes each transfer once, and issues consecutive statements. */
export class DrillBank {
  /** All statements so far, as files. */
  readonly files: string[] = []
  readonly executed: { endToEndId: string; text: string; amount: number }[] = []
  readonly credits: { reference: string; amount: number }[] = []
  readonly #unbooked: CamtEntry[] = []
  #waiting: { endToEndId: string; text: string; amount: string }[] = []
  #balance = 1_000_000
  #sequence = 0

  constructor() {
    // One day earlier, so that statements begin before any moment of the drill.
    this.issue(dayOf(-1))
  }

  pay(reference: string, amount: string): void {
    this.credits.push({ reference, amount: Number(amount) })
    const payer = { payerName: 'Ada Lovelace', payerIban: 'DE02120300000000202051' }
    this.#unbooked.push({ amount, creditorReference: reference, bookedOn: dayOf(0), ...payer })
  }

  /** Accepts the file of a payout. Each submission is another order to pay. */
  handIn(xml: string): number {
    const transfers = readRefundFile(xml).blocks.flatMap((block) => block.transfers)
    this.#waiting.push(...transfers)
    return transfers.length
  }

  /** Executes submitted transfers: all, or those that a coin decides. */
  execute(isExecuted: () => boolean = () => true): void {
    const { now = [], later = [] } = Object.groupBy(this.#waiting, () => (isExecuted() ? 'now' : 'later'))
    this.#waiting = later
    for (const { endToEndId, text, amount } of now) {
      this.executed.push({ endToEndId, text, amount: Number(amount) })
      this.#unbooked.push({ amount, isDebit: true, endToEndId, text, bookedOn: dayOf(0) })
    }
  }

  /** Executes a transfer that a person enters without the file of a payout. */
  transfer(reference: string, amount: number): void {
    const text = `Refund ${reference}`
    this.executed.push({ endToEndId: `BY HAND ${reference}`, text, amount })
    this.#unbooked.push({ amount: amount.toFixed(2), isDebit: true, text, bookedOn: dayOf(0) })
  }

  get hasNews(): boolean {
    return this.#unbooked.length > 0
  }

  /** Issues the next statement, with all entries that are not in one yet. */
  issue(day = dayOf(0)): string {
    this.#sequence += 1
    const entries = this.#unbooked.splice(0)
    const opening = this.#balance.toFixed(2)
    for (const { amount, isDebit } of entries) this.#balance += Number(amount) * (isDebit ? -1 : 1)
    const id = `S${this.#sequence}`
    const closing = this.#balance.toFixed(2)
    const file = camt053({ id, sequence: String(this.#sequence), day, opening, closing, entries })
    this.files.push(file)
    return file
  }
}
