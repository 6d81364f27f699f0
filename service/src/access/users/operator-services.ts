import type { PipelineServices } from '../../platform/api/declare/services.ts'
import { announceApproval } from '../approvals/announce-approval.ts'
import {
  findOperatorAgain,
  findOperatorBySession,
  findOperatorByToken,
  type OperatorServices,
} from './find-operator.ts'
import { secretIdOf } from './operator-secret.ts'
import { selectColleagues } from './select-colleagues.ts'
import { selectCallerNames } from './user.sql.ts'

/** What the pipeline needs to know about the users of a tenant. */
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
  return {
    operatorOfToken: (token) => findOperatorByToken(services, token),
    operatorAgain: (proof) => findOperatorAgain(services, proof),
    tokenIdOf: (token) => secretIdOf('token', token),
    operatorOfSession: (cookie) => findOperatorBySession(services, cookie),
    colleaguesOf: selectColleagues,
    callerNamesOf: selectCallerNames,
    announceApproval,
  }
}
