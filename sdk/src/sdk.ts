export { fromUnits, toUnits } from './amounts.ts'
export type { ApiResponse, Call } from './call.ts'
export { InvestorToken } from './client.ts'
export type { Clock } from './clock.ts'
export {
  AbortError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  EventsRestoredError,
  InvestorTokenError,
  NotFoundError,
  PayloadMismatchError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  UsageError,
  ValidationError,
} from './errors.ts'
export type { KnownErrorCode } from './generated/operations.ts'
export type {
  Account,
  AccountChange,
  AccountEligibility,
  AccountSummary,
  Approval,
  BankAccount,
  BenefitingPerson,
  Communication,
  Company,
  DeadlineSimulation,
  DecisionSimulation,
  DistributionSimulation,
  Entitlement,
  EntitlementTotal,
  Event,
  EventPage,
  EventsRestored,
  Failure,
  Individual,
  KycResultSimulation,
  LoggedRequest,
  MintFailure,
  MintFailureSimulation,
  NewAccount,
  NewApproval,
  NewBenefitingPerson,
  NewIndividual,
  NewOrder,
  NewTransferRequest,
  NewWallet,
  Offering,
  OfferingSummary,
  Order,
  OrderCancellation,
  OrderOfAccount,
  OrderOfOffering,
  Pagination,
  PaymentBankAccount,
  PaymentSimulation,
  QuestionnaireAnswers,
  Reorg,
  ReorgSimulation,
  RequestPage,
  SimulatedDeadlines,
  SimulatedDistribution,
  SimulatedKycResult,
  SimulatedOrder,
  TaxInformation,
  Transaction,
  Transfer,
  TransferRequest,
  TransferRequestBlocker,
  TransferRequestPage,
  TransferRequestSummary,
  TransferSimulation,
  Wallet,
  WalletBalance,
  WalletChallenge,
  WalletProof,
  WalletSimulation,
} from './generated/schemas.ts'
export type { List, Page } from './list.ts'
export type {
  ClientOptions,
  EventType,
  ListOptions,
  LogEntry,
  Logger,
  PageOptions,
  RequestOptions,
  Scope,
  WriteOptions,
} from './options.ts'
export type { EventOptions } from './resources/events.ts'
export type { RegisterExtractListOptions } from './resources/register-extracts.ts'
export type { RequestLogOptions } from './resources/requests.ts'
export type { TransferListOptions } from './resources/transfers.ts'
export type { OperationInput, OperationName } from './transport.ts'
export { sdkVersion } from './version.ts'
export type { AbortSignalLike, FetchLike, FetchRequest, FetchResponse, HeadersLike } from './web-types.ts'
export { WebhookError, type WebhookFailure } from './webhook-errors.ts'
export type { FetchWebhookRequest, ServerWebhookRequest, WebhookRequest } from './webhook-request.ts'
export {
  type SignOptions,
  type UnwrapOptions,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookResponse,
  Webhooks,
} from './webhooks.ts'
