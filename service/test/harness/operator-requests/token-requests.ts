import { bulkOf, type OperatorRequest } from './operator-request.ts'
import { draft } from './prepared-sales.ts'
import { opIn, orderOnMintHold, stoppedToken, token } from './prepared-tokens.ts'

/** Valid requests of operations, by id. */
export const tokenRequests: Readonly<Record<string, OperatorRequest>> = {
  releaseMintHold: { prepare: orderOnMintHold },
  attachTransaction: {
    body: () => ({ transaction_hash: `0x${crypto.randomUUID().replaceAll('-', '').padEnd(64, '0')}` }),
    prepare: opIn('SIGNED'),
  },
  bumpChainOp: { prepare: opIn('SIGNED') },
  cancelChainOp: { prepare: opIn('QUEUED') },
  retryChainOp: { prepare: opIn('REVERTED') },
  attachToken: { body: () => ({ address: '0x52908400098527886E0F7030069857D2E4169EE7' }), prepare: draft },
  reconcileToken: { prepare: token },
  resumeMinting: { body: () => ({ reason: 'difference explained' }), prepare: stoppedToken },
  proposeTokenAction: { body: () => ({ kind: 'PAUSE', reason: 'the registry moves' }), prepare: token },
  bulkReleaseMintHold: bulkOf(({ orderId }) => ({ order_id: orderId }), orderOnMintHold),
}
