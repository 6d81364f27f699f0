import { CloseButton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filter } from './filter.ts'

const FilterMenu = lazy(async () => ({ default: (await import('./list-menus.tsx')).FilterMenu }))
const ColumnMenu = lazy(async () => ({ default: (await import('./list-menus.tsx')).ColumnMenu }))
const SavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }))

interface ListBarProps {
  readonly filters: readonly Filter[]
  readonly columns: readonly { readonly id: string; readonly header: string }[]
  /** Parameters of the address. */
  readonly search: Readonly<Record<string, string | undefined>>
  readonly onSearch: (change: Readonly<Record<string, string | undefined>>) => void
  /** The id of the list operation, for saved views. */
  readonly list?: string
}

/** Filters of a list as chips that read like a sentence, and the choice of columns. The address stores both. */
export function ListBar({ filters, columns, search, onSearch, list }: ListBarProps) {
  const hidden = new Set(search['hide']?.split(',') ?? [])
  const toggle = (id: string) => {
    const next = hidden.has(id) ? [...hidden].filter((one) => one !== id) : [...hidden, id]
    onSearch({ hide: next.join(',') || undefined })
  }
  return (
    <>
      <Suspense>{list && <SavedViews list={list} search={search} onSearch={onSearch} />}</Suspense>
      <div className="spread">
        <div className="line">
          {filters.map((filter) => {
            const value = search[filter.name]
            return value === undefined ? null : (
              <FilterChip
                key={filter.name}
                filter={filter}
                value={value}
                onRemove={() => onSearch({ [filter.name]: undefined })}
              />
            )
          })}
          <Suspense fallback={<span aria-busy />}>
            <FilterMenu
              filters={filters.filter(({ name }) => search[name] === undefined)}
              onChoose={(name, value) => onSearch({ [name]: value })}
            />
          </Suspense>
        </div>
        <Suspense fallback={<span aria-busy style={{ height: 28 }} />}>
          <ColumnMenu columns={columns} hidden={hidden} onToggle={toggle} />
        </Suspense>
      </div>
    </>
  )
}

function FilterChip({ filter, value, onRemove }: { filter: Filter; value: string; onRemove: () => void }) {
  const { t } = useTranslation()
  const shown = filter.options?.find((option) => option.value === value)?.label ?? value
  return (
    <span className="chip">
      <span>
        {t('parts.filterIs', { label: filter.label })} <strong>{shown}</strong>
      </span>
      <CloseButton size="xs" aria-label={t('parts.removeFilter', { label: filter.label })} onClick={onRemove} />
    </span>
  )
}
