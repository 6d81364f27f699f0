import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../parts/list-search.ts'
import { NotFound } from '../parts/not-found.tsx'
import { ScreenProblem } from './screen-problem.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: ScreenProblem })
const parent = { getParentRoute: () => root }

const routes = [
  createRoute({
    ...parent,
    path: '/',
    component: lazyRouteComponent(() => import('../work/work-screen.tsx'), 'WorkScreen'),
  }),
  createRoute({
    ...parent,
    path: '/work/$kind',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('../work/work-list-screen.tsx'), 'WorkListScreen'),
  }),
  createRoute({
    ...parent,
    path: '/offerings',
    validateSearch: listSearch('status'),
    component: lazyRouteComponent(() => import('../offerings/offerings-screen.tsx'), 'OfferingsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/offerings/$offeringId',
    validateSearch: listSearch('tab'),
    component: lazyRouteComponent(() => import('../offerings/offering-screen.tsx'), 'OfferingScreen'),
  }),
  createRoute({
    ...parent,
    path: '/offerings/new',
    component: lazyRouteComponent(() => import('../offerings/draft-screen.tsx'), 'NewDraftScreen'),
  }),
  createRoute({
    ...parent,
    path: '/offerings/$offeringId/edit',
    component: lazyRouteComponent(() => import('../offerings/draft-screen.tsx'), 'EditDraftScreen'),
  }),
  createRoute({
    ...parent,
    path: '/register',
    validateSearch: listSearch('offering_id', 'day', 'from'),
    component: lazyRouteComponent(() => import('../register/register-screen.tsx'), 'RegisterScreen'),
  }),
  createRoute({
    ...parent,
    path: '/chain',
    component: lazyRouteComponent(() => import('../chain/chain-screen.tsx'), 'ChainScreen'),
  }),
  createRoute({
    ...parent,
    path: '/reports',
    validateSearch: listSearch('state'),
    component: lazyRouteComponent(() => import('../reports/reports-screen.tsx'), 'ReportsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/settings',
    component: lazyRouteComponent(() => import('../settings/settings-screen.tsx'), 'SettingsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/investors',
    validateSearch: listSearch('type', 'kyc_status', 'kyb_status'),
    component: lazyRouteComponent(() => import('../investors/investors-screen.tsx'), 'InvestorsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/investors/$accountId',
    component: lazyRouteComponent(() => import('../investors/investor-screen.tsx'), 'InvestorScreen'),
  }),
  createRoute({
    ...parent,
    path: '/orders',
    validateSearch: listSearch('status', 'blocker', 'offering_id', 'account_id', 'payment_reference'),
    component: lazyRouteComponent(() => import('../orders/orders-screen.tsx'), 'OrdersScreen'),
  }),
  createRoute({
    ...parent,
    path: '/orders/$orderId',
    component: lazyRouteComponent(() => import('../orders/order-screen.tsx'), 'OrderScreen'),
  }),
  createRoute({
    ...parent,
    path: '/transfers',
    validateSearch: listSearch('status', 'offering_id', 'transfer'),
    component: lazyRouteComponent(() => import('../transfers/transfers-screen.tsx'), 'TransfersScreen'),
  }),
  createRoute({
    ...parent,
    path: '/transfers/unrequested',
    validateSearch: listSearch('judged', 'offering_id'),
    component: lazyRouteComponent(() => import('../transfers/unrequested-screen.tsx'), 'UnrequestedScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/matching',
    validateSearch: listSearch('payment'),
    component: lazyRouteComponent(() => import('../money/matching-screen.tsx'), 'MatchingScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/payments/$paymentId',
    component: lazyRouteComponent(() => import('../money/payment-screen.tsx'), 'PaymentScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/statements',
    validateSearch: listSearch('waits_for_booking', 'needs_attention'),
    component: lazyRouteComponent(() => import('../money/statements-screen.tsx'), 'StatementsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/statements/$statementId',
    validateSearch: listSearch('state'),
    component: lazyRouteComponent(() => import('../money/statement-screen.tsx'), 'StatementScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/refunds',
    validateSearch: listSearch('status', 'order_id', 'refund'),
    component: lazyRouteComponent(() => import('../money/refunds-screen.tsx'), 'RefundsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/payouts',
    validateSearch: listSearch('status'),
    component: lazyRouteComponent(() => import('../money/payouts-screen.tsx'), 'PayoutsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/money/payouts/$payoutId',
    component: lazyRouteComponent(() => import('../money/payout-screen.tsx'), 'PayoutScreen'),
  }),
  createRoute({
    ...parent,
    path: '/distributions',
    validateSearch: listSearch('status', 'offering_id'),
    component: lazyRouteComponent(() => import('../distributions/distributions-screen.tsx'), 'DistributionsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/distributions/$distributionId',
    validateSearch: listSearch('status'),
    component: lazyRouteComponent(() => import('../distributions/distribution-screen.tsx'), 'DistributionScreen'),
  }),
  createRoute({
    ...parent,
    path: '/distributions/schedules',
    validateSearch: listSearch(),
    component: lazyRouteComponent(() => import('../distributions/schedules-screen.tsx'), 'SchedulesScreen'),
  }),
  createRoute({
    ...parent,
    path: '/approvals',
    validateSearch: listSearch('state', 'open'),
    component: lazyRouteComponent(() => import('../approvals/approvals-screen.tsx'), 'ApprovalsScreen'),
  }),
  createRoute({
    ...parent,
    path: '/settlement',
    validateSearch: listSearch('state', 'kind', 'offering_id'),
    component: lazyRouteComponent(() => import('../settlement/settlement-screen.tsx'), 'SettlementScreen'),
  }),
  createRoute({
    ...parent,
    path: '/developers',
    component: lazyRouteComponent(() => import('../developers/developers-screen.tsx'), 'DevelopersScreen'),
  }),
  createRoute({
    ...parent,
    path: '/team',
    component: lazyRouteComponent(() => import('../team/team-screen.tsx'), 'TeamScreen'),
  }),
  createRoute({
    ...parent,
    path: '/audit',
    validateSearch: listSearch('subject_id', 'actor_id', 'log', 'action', 'request_id', 'from', 'to'),
    component: lazyRouteComponent(() => import('../audit/audit-screen.tsx'), 'AuditScreen'),
  }),
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
