import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { type List, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import type { ListSearch } from '../app/address.ts'
import { useSetSearch } from '../app/use-set-search.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { optionsOf } from '../parts/filter.ts'
import { ListBar } from '../parts/list-bar.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { InvestorBulk } from './investor-bulk.tsx'

type Investor = Schemas['AccountSearchResult']

const route = getRouteApi('/investors')
const statuses = optionsOf(['NEW', 'PENDING', 'APPROVED', 'REJECTED', 'DEACTIVATED'])

export function InvestorsScreen() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  // A name is personal data, so it stays out of the address.
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const { hide, direction } = search
  const list = useInvestors(search, q)
  const columns = useColumns()
  const may = useMay()
  return (
    <div className="page page-list">
      <PageTitle title={t('nav.investors')} count={list.count}>
        <TextInput
          aria-label={t('investors.search')}
          placeholder={t('investors.search')}
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={260}
        />
      </PageTitle>
      <ListBar
        list="searchAccounts"
        columns={columns}
        search={search}
        onSearch={setSearch}
        filters={[
          { name: 'kyc_status', label: 'KYC', options: statuses },
          { name: 'kyb_status', label: 'KYB', options: statuses },
          { name: 'type', label: t('investors.type'), options: optionsOf(['INDIVIDUAL', 'COMPANY']) },
        ]}
      />
      <DataTable
        label={t('nav.investors')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        hidden={hide}
        direction={direction}
        onDirection={(next) => setSearch({ direction: next })}
        onOpen={({ id }) => void navigate({ to: '/investors/$accountId', params: { accountId: id } })}
        emptyText={t('investors.empty')}
        {...(may('compliance') && {
          selectionActions: (investors: readonly Investor[], clear: () => void) => (
            <InvestorBulk investors={investors} onDone={clear} />
          ),
        })}
      />
    </div>
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
    bodyOf(
      api.POST('/accounts/search', {
        body,
        params: { query: { ...page, ...(direction === 'asc' && { direction: 'asc' as const }) } },
      }),
    ),
  )
}

function useColumns(): Column<Investor>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
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
      {
        id: 'created',
        header: t('investors.since'),
        width: 140,
        isSorted: true,
        cell: ({ created_at: at }) => <Time time={at} isRelative />,
      },
    ],
    [t],
  )
}
