export const everybody = ['alice', 'bob', 'carol'] as const
export type Who = (typeof everybody)[number]

export type Command =
  | { name: 'mint'; to: Who; amount: bigint }
  | { name: 'transfer' | 'forcedTransfer'; from: Who; to: Who; amount: bigint }
  | { name: 'burn'; from: Who; amount: bigint }
  | { name: 'setFrozenTokens'; of: Who; amount: bigint }
  | { name: 'register' | 'unregister'; of: Who }
  | { name: 'pause' | 'unpause' }

interface Holder {
  balance: bigint
  frozen: bigint
  isRegistered: boolean
}

export type Model = Record<Who, Holder> & { isPaused: boolean }

/** As `Issuance.token` leaves it. */
export const newModel = (): Model => ({
  alice: { balance: 100n, frozen: 0n, isRegistered: true },
  bob: { balance: 0n, frozen: 0n, isRegistered: true },
  carol: { balance: 0n, frozen: 0n, isRegistered: false },
  isPaused: false,
})

/** The error that a command must meet, after ERC-7943 and our reading of it; without one it has happened to the model. */
export function refusalOf(model: Model, command: Command): string | undefined {
  switch (command.name) {
    case 'mint': {
      const to = model[command.to]
      if (model.isPaused) return 'EnforcedPause'
      if (!to.isRegistered) return 'ERC7943CannotReceive'
      to.balance += command.amount
      return undefined
    }
    case 'transfer': {
      const from = model[command.from]
      const to = model[command.to]
      const isEnough = command.amount <= from.balance
      if (model.isPaused) return 'EnforcedPause'
      if (!from.isRegistered) return 'ERC7943CannotSend'
      if (isEnough && command.amount > unfrozen(from)) return 'ERC7943InsufficientUnfrozenBalance'
      if (!to.isRegistered) return 'ERC7943CannotReceive'
      if (!isEnough) return 'ERC20InsufficientBalance'
      from.balance -= command.amount
      to.balance += command.amount
      return undefined
    }
    case 'forcedTransfer': {
      if (command.from === command.to) return 'ERC7943CannotTransfer'
      if (!model[command.to].isRegistered) return 'ERC7943CannotReceive'
      if (!take(model[command.from], command.amount)) return 'ERC20InsufficientBalance'
      model[command.to].balance += command.amount
      return undefined
    }
    case 'burn':
      return take(model[command.from], command.amount) ? undefined : 'ERC20InsufficientBalance'
    case 'setFrozenTokens':
      model[command.of].frozen = command.amount
      return undefined
    case 'register':
    case 'unregister':
      model[command.of].isRegistered = command.name === 'register'
      return undefined
    case 'pause':
    case 'unpause': {
      const isPausing = command.name === 'pause'
      if (model.isPaused === isPausing) return isPausing ? 'EnforcedPause' : 'ExpectedPause'
      model.isPaused = isPausing
      return undefined
    }
  }
}

/** What is free first, then what is frozen, which is unfrozen by just so much. */
function take(holder: Holder, amount: bigint): boolean {
  if (amount > holder.balance) return false
  const fromFrozen = amount - unfrozen(holder)
  if (fromFrozen > 0n) holder.frozen -= fromFrozen
  holder.balance -= amount
  return true
}

const unfrozen = ({ balance, frozen }: Holder) => (frozen < balance ? balance - frozen : 0n)
