import {
  IconArrowsExchange,
  IconArrowsTransferUp,
  IconBuildingBank,
  IconCalendarDollar,
  IconCode,
  IconCoins,
  IconCubeSend,
  IconFileSpreadsheet,
  IconHeartbeat,
  IconHistory,
  IconInbox,
  IconListDetails,
  IconReceipt,
  IconSettings,
  IconShieldCheck,
  IconShoppingCart,
  IconTransferOut,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type texts from '../text/en.json'

export interface NavigationItem {
  readonly to: NonNullable<LinkProps['to']>
  /** Key of its name in the texts under `nav`. */
  readonly name: keyof typeof texts.nav
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  /** The key after `g`. */
  readonly key: string
}

/** Groups in the order of a working day. Everybody may read every screen; only actions need duties. */
export const navigation: readonly (readonly NavigationItem[])[] = [
  [{ to: '/', name: 'work', icon: IconInbox, key: 'w' }],
  [
    { to: '/offerings', name: 'offerings', icon: IconCoins, key: 'f' },
    { to: '/investors', name: 'investors', icon: IconUsers, key: 'i' },
    { to: '/orders', name: 'orders', icon: IconShoppingCart, key: 'o' },
    { to: '/transfers', name: 'transfers', icon: IconArrowsTransferUp, key: 'v' },
    { to: '/register', name: 'register', icon: IconListDetails, key: 'e' },
  ],
  [
    { to: '/money/matching', name: 'matching', icon: IconArrowsExchange, key: 'm' },
    { to: '/money/statements', name: 'statements', icon: IconBuildingBank, key: 's' },
    { to: '/money/refunds', name: 'refunds', icon: IconReceipt, key: 'r' },
    { to: '/money/payouts', name: 'payouts', icon: IconTransferOut, key: 'p' },
    { to: '/distributions', name: 'distributions', icon: IconCalendarDollar, key: 'b' },
    { to: '/approvals', name: 'approvals', icon: IconShieldCheck, key: 'a' },
  ],
  [
    { to: '/settlement', name: 'settlement', icon: IconCubeSend, key: 'c' },
    { to: '/chain', name: 'chain', icon: IconHeartbeat, key: 'h' },
    { to: '/developers', name: 'developers', icon: IconCode, key: 'd' },
  ],
  [
    { to: '/team', name: 'team', icon: IconUsersGroup, key: 't' },
    { to: '/audit', name: 'audit', icon: IconHistory, key: 'u' },
    { to: '/reports', name: 'reports', icon: IconFileSpreadsheet, key: 'x' },
    { to: '/settings', name: 'settings', icon: IconSettings, key: 'n' },
  ],
]
