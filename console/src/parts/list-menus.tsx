import { ActionIcon, Button, Menu, Popover, TextInput } from '@mantine/core'
import { IconColumns3, IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filter } from './filter.ts'

interface ColumnMenuProps {
  readonly columns: readonly { readonly id: string; readonly header: string }[]
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}

/** Shows and hides columns. */
export function ColumnMenu({ columns, hidden, onToggle }: ColumnMenuProps) {
  const { t } = useTranslation()
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('parts.columns')}>
          <IconColumns3 size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ id, header }) => (
          <Menu.CheckboxItem key={id} checked={!hidden.has(id)} onChange={() => onToggle(id)}>
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Chooses a filter, then its value. */
export function FilterMenu({
  filters,
  onChoose,
}: {
  filters: readonly Filter[]
  onChoose: (name: string, value: string) => void
}) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Filter>()
  const [text, setText] = useState('')
  if (filters.length === 0) return null
  const finish = (value: string) => {
    if (chosen && value) onChoose(chosen.name, value)
    setOpen(false)
    setChosen(undefined)
    setText('')
  }
  const items = chosen ? (chosen.options ?? []) : filters.map(({ name, label }) => ({ value: name, label }))
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconFilter size={14} />}
          onClick={() => {
            setChosen(undefined)
            setOpen(!isOpen)
          }}
        >
          {t('parts.filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t('parts.filter')}>
        {chosen && !chosen.options ? (
          <ValueForm filter={chosen} value={text} onChange={setText} onSubmit={() => finish(text.trim())} />
        ) : (
          items.map(({ value, label }) => (
            <Button
              key={value}
              variant="subtle"
              color="gray"
              fullWidth
              justify="flex-start"
              onClick={() => (chosen ? finish(value) : setChosen(filters.find(({ name }) => name === value)))}
            >
              {label}
            </Button>
          ))
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

interface ValueFormProps {
  readonly filter: Filter
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onSubmit: () => void
}

/** Asks for the value of a filter that has no options. */
function ValueForm({ filter, value, onChange, onSubmit }: ValueFormProps) {
  const { t } = useTranslation()
  return (
    <form
      className="line"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <TextInput
        aria-label={filter.label}
        placeholder={filter.label}
        {...(filter.kind === 'day' && { type: 'date' })}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-autofocus
      />
      <Button type="submit">{t('parts.apply')}</Button>
    </form>
  )
}
