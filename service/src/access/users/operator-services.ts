import type { PipelineServices } from '../../platform/api/declare/services.ts'
import { announceApproval } from '../approvals/announce-approval.ts'
import { findOperatorBySession, findOperatorByToken, type OperatorServices } from './find-operator.ts'
import { secretIdOf } from './operator-secret.ts'
import { selectColleagues } from './select-colleagues.ts'

/** What the pipeline needs to know about the users of a tenant. */
export function operatorServices(
  services: OperatorServices,
): Pick<PipelineServices, 'operatorOfToken' | 'tokenIdOf' | 'operatorOfSession' | 'colleaguesOf' | 'announceApproval'> {
  return {
    operatorOfToken: (token) => findOperatorByToken(services, token),
    tokenIdOf: (token) => secretIdOf('token', token),
    operatorOfSession: (cookie) => findOperatorBySession(services, cookie),
    colleaguesOf: selectColleagues,
    announceApproval,
  }
}
