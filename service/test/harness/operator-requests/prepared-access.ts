import type { TestInstallation } from '../installation/test-installation.ts'
import type { MeantIds, OfTenant, OperatorWorld, Preparation } from './operator-request.ts'
import { stoppedToken } from './prepared-tokens.ts'

export const credential = async (installation: TestInstallation, { tenantId }: OperatorWorld) => ({
  clientId: (await installation.issueCredential(tenantId)).clientId,
})

export const admin = async (installation: TestInstallation, { tenantId }: OfTenant) => {
  const { userId, tokenId, sessionId } = await installation.createOperator(tenantId)
  return { userId, tokenId, sessionId }
}

export const serviceUser = async (installation: TestInstallation, { tenantId }: OfTenant) => ({
  userId: (await installation.createServiceUser(tenantId, { duties: ['money'] })).userId,
})

export const callerThemself: Preparation = async (_installation, _world, _api, { userId }) => ({
  userId,
})

/** Proposes a change in the cell and one in the directory, which both wait for a second person. */
export async function proposedWith(installation: TestInstallation, world: OfTenant, proposerToken: string) {
  const { offeringId } = await stoppedToken(installation, world)
  const api = await installation.operatorApi()
  const propose = async (path: string, body: object): Promise<string> =>
    (await api.callWith(proposerToken, 'POST', path, body)).approval_id
  const invited = { name: 'Grace', email: `${crypto.randomUUID()}@example.com`, role: 'viewer' }
  return {
    approvalId: await propose(`/offerings/${offeringId}/resume-minting`, { reason: 'difference explained' }),
    directoryApprovalId: await propose('/users', invited),
  }
}

export const proposedByAnother = async (installation: TestInstallation, world: OfTenant) =>
  proposedWith(installation, world, (await installation.createOperator(world.tenantId)).token)

export const proposedByCaller: Preparation = (installation, world, _api, { token: callerToken }) =>
  proposedWith(installation, world, callerToken)

export const inDirectory: MeantIds = ({ directoryApprovalId }) =>
  directoryApprovalId === undefined ? {} : { approvalId: directoryApprovalId }

export const savedView = {
  name: 'Paid',
  list: 'listOrders',
  filters: [{ name: 'status', value: 'PAID' }],
  is_shared: false,
}

export const savedViewOfCaller: Preparation = async (_installation, _world, api, { token: callerToken }) => {
  const { body: view } = await api.call('POST', '/saved-views', { token: callerToken, body: savedView })
  return { viewId: view.id }
}
