import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { attachToken } from './attached-tokens/operator/attach-token.ts'
import { listAccountBalances } from './balances/operator/list-account-balances.ts'
import { listAccountTransactions } from './balances/operator/list-account-transactions.ts'
import { listChains } from './chain/operator/list-chains.ts'
import { attachTransaction } from './chain-ops/operator/attach-transaction.ts'
import { bumpChainOp } from './chain-ops/operator/bump-chain-op.ts'
import { cancelChainOp } from './chain-ops/operator/cancel-chain-op.ts'
import { getChainOp } from './chain-ops/operator/get-chain-op.ts'
import { listChainOps } from './chain-ops/operator/list-chain-ops.ts'
import { retryChainOp } from './chain-ops/operator/retry-chain-op.ts'
import { setLockUp } from './lock-up/operator/set-lock-up.ts'
import { getReconciliation } from './reconciliation/operator/get-reconciliation.ts'
import { reconcileToken } from './reconciliation/operator/reconcile-token.ts'
import { resumeMinting } from './reconciliation/operator/resume-minting.ts'
import { listHolders } from './register/operator/list-holders.ts'
import { listRegisterChanges } from './register/operator/list-register-changes.ts'
import { listGasDays } from './signers/operator/list-gas-days.ts'
import { listSigners } from './signers/operator/list-signers.ts'
import { getTokenAction } from './token-actions/operator/get-token-action.ts'
import { listTokenActions } from './token-actions/operator/list-token-actions.ts'
import { proposeTokenAction } from './token-actions/operator/propose-token-action.ts'
import { approveTransfer } from './transfers/operator/approve-transfer.ts'
import { forceTransfer } from './transfers/operator/force-transfer.ts'
import { getTransferForOperator } from './transfers/operator/get-transfer-for-operator.ts'
import { judgeUnrequestedTransfer } from './transfers/operator/judge-unrequested-transfer.ts'
import { listTransfersForOperator } from './transfers/operator/list-transfers-for-operator.ts'
import { listUnrequestedTransfers } from './transfers/operator/list-unrequested-transfers.ts'
import { rejectTransfer } from './transfers/operator/reject-transfer.ts'

/** Operations on chains, tokens, their holders and transfers. */
export const tokenOperations: readonly OperatorOperation[] = [
  listAccountBalances, //              GET   /accounts/:accountId/balances
  listAccountTransactions, //          GET   /accounts/:accountId/transactions

  listChainOps, //                     GET   /chain-ops
  getChainOp, //                       GET   /chain-ops/:opId
  attachTransaction, //                POST  /chain-ops/:opId/attach
  bumpChainOp, //                      POST  /chain-ops/:opId/bump
  cancelChainOp, //                    POST  /chain-ops/:opId/cancel
  retryChainOp, //                     POST  /chain-ops/:opId/retry

  listChains, //                       GET   /chains
  listSigners, //                      GET   /signers
  listGasDays, //                      GET   /gas

  attachToken, //                      POST  /offerings/:offeringId/attach-token
  listHolders, //                      GET   /offerings/:offeringId/holders
  listRegisterChanges, //              GET   /offerings/:offeringId/register-changes
  setLockUp, //                        POST  /offerings/:offeringId/lock-up
  resumeMinting, //                    POST  /offerings/:offeringId/resume-minting
  reconcileToken, //                   POST  /offerings/:offeringId/reconcile
  getReconciliation, //                GET   /offerings/:offeringId/reconciliation
  proposeTokenAction, //               POST  /offerings/:offeringId/token-actions
  listTokenActions, //                 GET   /token-actions
  getTokenAction, //                   GET   /token-actions/:actionId

  listTransfersForOperator, //         GET   /transfers
  getTransferForOperator, //           GET   /transfers/:transferId
  approveTransfer, //                  POST  /transfers/:transferId/approve
  rejectTransfer, //                   POST  /transfers/:transferId/reject
  forceTransfer, //                    POST  /transfers/:transferId/force
  listUnrequestedTransfers, //         GET   /unrequested-transfers
  judgeUnrequestedTransfer, //         POST  /unrequested-transfers/:unrequestedTransferId/judge
]
