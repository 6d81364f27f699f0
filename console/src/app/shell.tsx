import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { startSession } from '../api/connection.ts'
import { meQuery } from '../api/me.ts'
import { type KeyBindings, useKeys } from '../parts/keys.ts'
import { ProblemCard } from '../parts/problem-card.tsx'
import { queueKeysWhile } from '../parts/queued-keys.ts'
import { navigation } from './navigation.ts'
import { NavigationBar } from './navigation-bar.tsx'
import { openPalette } from './open-palette.ts'
import { TopBar } from './top-bar.tsx'

// Overlays load after the page that they float above.
const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }))
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ConnectionBanner = lazy(async () => ({
  default: (await import('../live/connection-banner.tsx')).ConnectionBanner,
}))
const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }))

/** Everything around a screen. Shows no data of the tenant until it knows who is signed in. */
export function Shell() {
  const me = useQuery(meQuery)
  // A person at work keeps the screen if a later request fails.
  if (me.data) return <SignedInShell />
  if (!me.error) return null
  return (
    <main className="page">
      <ProblemCard problem={me.error} retry={() => void me.refetch()} />
    </main>
  )
}

/** Follows the events of the tenant. The code loads after the screen. */
function useLive(): void {
  const client = useQueryClient()
  useEffect(() => {
    startSession()
    let stop = () => {}
    let isOver = false
    void import('../live/start-live.ts').then(({ startLive }) => {
      if (!isOver) stop = startLive(client)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [client])
}

/** Queues keys until the screen that they are meant for is ready. */
function useEarlyKeys(): void {
  const router = useRouter()
  const client = useQueryClient()
  useEffect(
    () =>
      queueKeysWhile(
        () => router.state.status === 'pending',
        () => client.isFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0,
      ),
    [router, client],
  )
}

function SignedInShell() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isHelpOpen, help] = useDisclosure(false)
  const [isMenuOpen, menu] = useDisclosure(false)
  const bindings = useMemo<KeyBindings>(
    () => ({
      '?': help.open,
      '/': openPalette,
      ...Object.fromEntries(navigation.flat().map(({ to, key }) => [`g ${key}`, () => void navigate({ to })])),
    }),
    [help.open, navigate],
  )
  useKeys(bindings)
  useEarlyKeys()
  useLive()
  return (
    <div className="app">
      <header className="app-header">
        <ActionIcon
          className="menu-button"
          variant="subtle"
          color="gray"
          aria-label={t('shell.navigation')}
          aria-expanded={isMenuOpen}
          onClick={menu.toggle}
        >
          <IconMenu2 size={18} />
        </ActionIcon>
        <TopBar onHelp={help.open} />
      </header>
      <div className={`app-navigation${isMenuOpen ? ' open' : ''}`}>
        <NavigationBar onNavigate={menu.close} />
      </div>
      <main className="app-main">
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>
        <ConnectionBanner />
        <Palette />
        <Notices />
        {isHelpOpen && <KeyHelp onClose={help.close} />}
      </Suspense>
    </div>
  )
}
