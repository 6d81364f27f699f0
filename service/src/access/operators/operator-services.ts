import type { PipelineServices } from '../../platform/api/declare/services.ts'
import { announceApproval } from '../approvals/announce-approval.ts'
import { secretIdOf } from '../credentials/operator-secret.ts'
import { selectCallerNames } from '../users/user.sql.ts'
import { OperatorLookup, type OperatorServices } from './operator-lookup.ts'
import { selectColleagues } from './select-colleagues.ts'

/** Gives the pipeline the functions that look up users of a tenant. */
export function operatorServices(
  services: OperatorServices,
): Pick<
  PipelineServices,
  | 'operatorOfToken'
  | 'operatorAgain'
  | 'tokenIdOf'
  | 'operatorOfSession'
  | 'colleaguesOf'
  | 'callerNamesOf'
  | 'announceApproval'
> {
  const lookup = new OperatorLookup(services)
  return {
    operatorOfToken: (token) => lookup.byToken(token),
    operatorAgain: (proof) => lookup.again(proof),
    tokenIdOf: (token) => secretIdOf('token', token),
    operatorOfSession: (cookie) => lookup.bySession(cookie),
    colleaguesOf: selectColleagues,
    callerNamesOf: selectCallerNames,
    announceApproval,
  }
}
