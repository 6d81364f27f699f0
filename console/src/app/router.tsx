import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import { listSearch } from '../parts/list-search.ts'
import { NotFound } from '../parts/not-found.tsx'
import { ScreenProblem } from './screen-problem.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: ScreenProblem })

/** Route of a screen, which loads when it is opened. The address keeps only the named parameters. */
function screen<const Path extends string, Name extends string, Component extends string>(
  path: Path,
  names: readonly Name[],
  load: () => Promise<Record<Component, RouteComponent>>,
  component: Component,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: listSearch(...names),
    component: lazyRouteComponent(load, component),
  })
}

const routes = [
  screen('/', [], () => import('../work/work-screen.tsx'), 'WorkScreen'),
  screen('/work/$kind', [], () => import('../work/work-list-screen.tsx'), 'WorkListScreen'),
  screen('/offerings', ['status'], () => import('../offerings/offerings-screen.tsx'), 'OfferingsScreen'),
  screen('/offerings/$offeringId', ['tab'], () => import('../offerings/offering-screen.tsx'), 'OfferingScreen'),
  screen('/offerings/new', [], () => import('../offerings/draft-screen.tsx'), 'NewDraftScreen'),
  screen('/offerings/$offeringId/edit', [], () => import('../offerings/draft-screen.tsx'), 'EditDraftScreen'),
  screen(
    '/register',
    ['offering_id', 'day', 'from'],
    () => import('../register/register-screen.tsx'),
    'RegisterScreen',
  ),
  screen('/chain', [], () => import('../chain/chain-screen.tsx'), 'ChainScreen'),
  screen('/reports', ['state'], () => import('../reports/reports-screen.tsx'), 'ReportsScreen'),
  screen('/settings', [], () => import('../settings/settings-screen.tsx'), 'SettingsScreen'),
  screen(
    '/investors',
    ['type', 'kyc_status', 'kyb_status'],
    () => import('../investors/investors-screen.tsx'),
    'InvestorsScreen',
  ),
  screen('/investors/$accountId', [], () => import('../investors/investor-screen.tsx'), 'InvestorScreen'),
  screen(
    '/orders',
    ['status', 'blocker', 'offering_id', 'account_id', 'payment_reference'],
    () => import('../orders/orders-screen.tsx'),
    'OrdersScreen',
  ),
  screen('/orders/$orderId', [], () => import('../orders/order-screen.tsx'), 'OrderScreen'),
  screen(
    '/transfers',
    ['status', 'offering_id', 'transfer'],
    () => import('../transfers/transfers-screen.tsx'),
    'TransfersScreen',
  ),
  screen(
    '/transfers/unrequested',
    ['judged', 'offering_id'],
    () => import('../transfers/unrequested-screen.tsx'),
    'UnrequestedScreen',
  ),
  screen('/money/matching', ['payment'], () => import('../money/matching-screen.tsx'), 'MatchingScreen'),
  screen('/money/payments/$paymentId', [], () => import('../money/payment-screen.tsx'), 'PaymentScreen'),
  screen(
    '/money/statements',
    ['waits_for_booking', 'needs_attention'],
    () => import('../money/statements-screen.tsx'),
    'StatementsScreen',
  ),
  screen('/money/statements/$statementId', ['state'], () => import('../money/statement-screen.tsx'), 'StatementScreen'),
  screen(
    '/money/refunds',
    ['status', 'order_id', 'refund'],
    () => import('../money/refunds-screen.tsx'),
    'RefundsScreen',
  ),
  screen('/money/payouts', ['status'], () => import('../money/payouts-screen.tsx'), 'PayoutsScreen'),
  screen('/money/payouts/$payoutId', [], () => import('../money/payout-screen.tsx'), 'PayoutScreen'),
  screen(
    '/distributions',
    ['status', 'offering_id'],
    () => import('../distributions/distributions-screen.tsx'),
    'DistributionsScreen',
  ),
  screen(
    '/distributions/$distributionId',
    ['status'],
    () => import('../distributions/distribution-screen.tsx'),
    'DistributionScreen',
  ),
  screen('/distributions/schedules', [], () => import('../distributions/schedules-screen.tsx'), 'SchedulesScreen'),
  screen('/approvals', ['state', 'open'], () => import('../approvals/approvals-screen.tsx'), 'ApprovalsScreen'),
  screen(
    '/settlement',
    ['state', 'kind', 'offering_id'],
    () => import('../settlement/settlement-screen.tsx'),
    'SettlementScreen',
  ),
  screen('/developers', [], () => import('../developers/developers-screen.tsx'), 'DevelopersScreen'),
  screen('/team', [], () => import('../team/team-screen.tsx'), 'TeamScreen'),
  screen(
    '/audit',
    ['subject_id', 'actor_id', 'log', 'action', 'request_id', 'from', 'to'],
    () => import('../audit/audit-screen.tsx'),
    'AuditScreen',
  ),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenProblem,
  // Plain query strings. Values are text, and an address that people read should not contain quotes.
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text ? `?${text}` : ''
  },
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
