import { LoggableError } from '../../platform/base/log.ts'

/** The tenant cannot be moved. The message names the rule and the fix. */
export class MoveRejected extends LoggableError {
  override readonly name = 'MoveRejected'
}
