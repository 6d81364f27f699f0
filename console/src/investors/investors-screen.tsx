import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type List, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Column, timeColumn } from '../parts/columns.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListScreen } from '../parts/list-screen.tsx'
import type { ListSearch } from '../parts/list-search.ts'
import { State } from '../parts/state.tsx'
import { InvestorBulk } from './investor-bulk.tsx'

type Investor = Schemas['AccountSearchResult']

const route = getRouteApi('/investors')
const statuses = optionsOf(['NEW', 'PENDING', 'APPROVED', 'REJECTED', 'DEACTIVATED'])

export function InvestorsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = useNavigate()
  // A name is personal data, so it stays out of the address.
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const list = useInvestors(search, q)
  const columns = useColumns()
  const may = useMay()
  return (
    <ListScreen
      title={t('nav.investors')}
      operation="searchAccounts"
      list={list}
      columns={columns}
      search={search}
      filters={[
        { name: 'kyc_status', label: 'KYC', options: statuses },
        { name: 'kyb_status', label: 'KYB', options: statuses },
        { name: 'type', label: t('investors.type'), options: optionsOf(['INDIVIDUAL', 'COMPANY']) },
      ]}
      onOpen={({ id }) => void navigate({ to: '/investors/$accountId', params: { accountId: id } })}
      emptyText={t('investors.empty')}
      selectionActions={
        may('compliance') && ((investors, clear) => <InvestorBulk investors={investors} onDone={clear} />)
      }
      aside={
        <TextInput
          aria-label={t('investors.search')}
          placeholder={t('investors.search')}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={260}
        />
      }
    />
  )
}

/** Loads the investors that match the filters in the address and the text. */
function useInvestors(search: ListSearch<'type' | 'kyc_status' | 'kyb_status'>, q: string): List<Investor> {
  const { direction, type, kyc_status: kyc, kyb_status: kyb } = search
  const body = {
    ...(type && { type }),
    ...(kyc && { kyc_status: kyc.split(',') }),
    ...(kyb && { kyb_status: kyb.split(',') }),
    ...(q && { q }),
  } as Schemas['AccountSearch']
  return useList<Investor>(['accounts', body, direction], (page) =>
    api.post('/accounts/search', {
      body,
      query: { ...page, ...(direction === 'asc' && { direction: 'asc' as const }) },
    }),
  )
}

function useColumns(): Column<Investor>[] {
  const { t } = useTranslation()
  return [
    {
      id: 'name',
      header: t('investors.name'),
      cell: ({ id, full_name: name }) => (
        <Link className="plain" to="/investors/$accountId" params={{ accountId: id }} tabIndex={-1}>
          {name}
        </Link>
      ),
    },
    { id: 'email', header: t('investors.email'), cell: ({ email }) => email },
    { id: 'type', header: t('investors.type'), width: 130, cell: ({ type }) => type },
    { id: 'kyc', header: 'KYC', width: 140, cell: ({ kyc_status: state }) => <State state={state} /> },
    {
      id: 'kyb',
      header: 'KYB',
      width: 140,
      cell: ({ kyb_status: state, type }) =>
        type === 'COMPANY' ? <State state={state} /> : <span className="muted">–</span>,
    },
    timeColumn('created', t('investors.since'), (one) => one.created_at, { isSorted: true }),
  ]
}
