import '@mantine/spotlight/styles.css'
import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import {
  IconArrowsExchange,
  IconBolt,
  IconCash,
  IconCubeSend,
  IconReceipt,
  IconSearch,
  IconShoppingCart,
  IconUser,
  IconWallet,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { usePaletteActions } from '../parts/use-offered-actions.ts'
import { navigation } from './navigation.ts'
import { registerPalette } from './open-palette.ts'
import { signOut } from './sign-out.ts'

const [store, palette] = createSpotlight()

registerPalette(palette.open)

/** Finds pages, actions and objects from one keyboard shortcut. */
export function Palette() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const groups = [
    { group: t('palette.actions'), actions: useActions() },
    { group: t('palette.pages'), actions: usePages() },
  ]
  const wanted = text.trim().toLowerCase()
  const found = groups.map(({ group, actions }) => ({
    group,
    actions: actions.filter(({ label }) => label?.toLowerCase().includes(wanted)),
  }))
  const objects = useObjects(text.trim())
  const shown = [...found, { group: t('palette.objects'), actions: objects }].filter(({ actions }) => actions.length)
  useFirstSelected(wanted && shown.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' '))
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      clearQueryOnClose
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <Spotlight.Search
        ref={takeFocus}
        data-autofocus
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        leftSection={<IconSearch size={16} />}
      />
      <Spotlight.ActionsList id={listId} mah={420} style={{ overflowY: 'auto' }}>
        {shown.map(({ group, actions }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {actions.map((action) => (
              <Spotlight.Action {...action} key={action.id} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/**
 * Takes the focus as soon as the palette is visible, so that letters do not act as shortcuts of the screen behind it.
 */
function takeFocus(search: HTMLInputElement | null): void {
  search?.focus({ preventScroll: true })
}

const listId = 'palette-list'

/** Selects the first result, so that Enter starts it. The library does so only when a letter is typed. */
function useFirstSelected(ids: string): void {
  useLayoutEffect(() => {
    const list = ids ? document.getElementById(listId) : null
    if (!list || list.querySelector('[data-selected]')) return
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [ids])
}

function usePages(): SpotlightActionData[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return navigation.flat().map(({ to, name, icon: Icon, key }) => ({
    id: `page-${name}`,
    label: t(`nav.${name}`),
    leftSection: <Icon size={16} />,
    rightSection: <kbd>g {key}</kbd>,
    onClick: () => void navigate({ to }),
  }))
}

function useActions(): SpotlightActionData[] {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const offered = usePaletteActions()
  const bolt = <IconBolt size={16} />
  return [
    ...offered.map(({ id, label, run }) => ({ id: `action-${id}`, label, leftSection: bolt, onClick: run })),
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      id: `scheme-${scheme}`,
      label: `${t('shell.appearance')}: ${t(`shell.${scheme}`)}`,
      leftSection: bolt,
      onClick: () => setColorScheme(scheme),
    })),
    { id: 'sign-out', label: t('shell.signOut'), leftSection: bolt, onClick: () => void signOut() },
  ]
}

/** Shortest text to search for: fewer letters match everything. */
const textLengthMin = 2

const iconOf = {
  account: IconUser,
  order: IconShoppingCart,
  wallet: IconWallet,
  refund: IconReceipt,
  payment: IconCash,
  unassigned_payment: IconArrowsExchange,
  transaction: IconCubeSend,
}

/** Searches objects by beginnings of words. The text may be personal data, so it is sent in a body, not in a URL. */
function useObjects(text: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const [wanted] = useDebouncedValue(text, 200)
  const enabled = wanted.length >= textLengthMin
  const { data } = useQuery({
    queryKey: ['palette', wanted],
    queryFn: () => api.post('/search', { body: { query: wanted } }),
    enabled,
  })
  if (!enabled || !data) return []
  return data.results.map((found) => {
    const Icon = iconOf[found.kind]
    return {
      id: `${found.kind}-${found.id}`,
      label: found.name,
      description: found.detail,
      leftSection: <Icon size={16} />,
      onClick: () => void navigate(targetOf(found)),
    }
  })
}

/** Returns the page of a search result, or of the object that it belongs to. */
function targetOf({ kind, id, order_id: orderId, account_id: accountId }: Schemas['SearchResult']): NavigateOptions {
  if (kind === 'unassigned_payment') return { to: '/money/payments/$paymentId', params: { paymentId: id } }
  if (kind === 'refund') return { to: '/money/refunds', search: { refund: id } }
  const order = kind === 'order' ? id : orderId
  if (order !== null) return { to: '/orders/$orderId', params: { orderId: order } }
  return { to: '/investors/$accountId', params: { accountId: kind === 'account' ? id : (accountId ?? '') } }
}
