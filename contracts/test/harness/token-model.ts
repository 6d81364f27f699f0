export const accountNames = ['alice', 'bob', 'carol'] as const
export type AccountName = (typeof accountNames)[number]

export type Command =
  | { name: 'mint'; to: AccountName; amount: bigint }
  | { name: 'transfer' | 'forcedTransfer'; from: AccountName; to: AccountName; amount: bigint }
  | { name: 'burn'; from: AccountName; amount: bigint }
  | { name: 'setFrozenTokens'; of: AccountName; amount: bigint }
  | { name: 'register' | 'unregister'; of: AccountName }
  | { name: 'pause' | 'unpause' }
  | { name: 'setLockUp'; isLockedUp: boolean }

interface Holder {
  balance: bigint
  frozen: bigint
  isRegistered: boolean
}

export type Model = Record<AccountName, Holder> & { isPaused: boolean; isLockedUp: boolean }

/** The initial state of `Issuance.token`. */
export const newModel = (): Model => ({
  alice: { balance: 100n, frozen: 0n, isRegistered: true },
  bob: { balance: 0n, frozen: 0n, isRegistered: true },
  carol: { balance: 0n, frozen: 0n, isRegistered: false },
  isPaused: false,
  isLockedUp: false,
})

/** Returns the error that a command must revert with under ERC-7943, or applies the command to the model. */
export function applyToModel(model: Model, command: Command): string | undefined {
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
      if (model.isLockedUp) return 'LockedUp'
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
    case 'setLockUp':
      model.isLockedUp = command.isLockedUp
      return undefined
  }
}

/** Takes unfrozen tokens first, then frozen ones, and reduces the frozen amount by the latter. */
function take(holder: Holder, amount: bigint): boolean {
  if (amount > holder.balance) return false
  const fromFrozen = amount - unfrozen(holder)
  if (fromFrozen > 0n) holder.frozen -= fromFrozen
  holder.balance -= amount
  return true
}

const unfrozen = ({ balance, frozen }: Holder) => (frozen < balance ? balance - frozen : 0n)
