import { LoggableError } from '../../platform/base/log.ts'

/** The tenant cannot be moved; the message names the rule and says what the operator has to do. */
export class MoveRejected extends LoggableError {
  override readonly name = 'MoveRejected'
}
