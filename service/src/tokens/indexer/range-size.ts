const blocksMax = 100_000n
const logsWanted = 5_000
const logsMax = 20_000

/**
 * How many blocks to ask a node for at once. Nodes refuse what is too much for them, and each has its own idea of that:
 * so it grows while answers are small, and halves when one is large or does not come.
 */
export class RangeSize {
  #blocks = 100n

  get blocks(): bigint {
    return this.#blocks
  }

  answered(logs: number): void {
    if (logs < logsWanted) this.#blocks = this.#blocks * 2n < blocksMax ? this.#blocks * 2n : blocksMax
    else if (logs > logsMax) this.refused()
  }

  refused(): void {
    this.#blocks = this.#blocks > 1n ? this.#blocks / 2n : 1n
  }
}
