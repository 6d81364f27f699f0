import { useTranslation } from 'react-i18next'

type Members = Readonly<Record<string, unknown>> | null | undefined

/** Shows the members that differ, before and after. */
export function Diff({ before, after }: { before: Members; after: Members }) {
  const { t } = useTranslation()
  const [left, right] = [flattened(before), flattened(after)]
  const names = [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name))
  if (names.length === 0) return <p className="muted">{t('parts.noChange')}</p>
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{t('parts.field')}</th>
          <th scope="col">{t('parts.before')}</th>
          <th scope="col">{t('parts.after')}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={left.has(name) ? 'removed' : ''}>{left.get(name) ?? '–'}</td>
            <td className={right.has(name) ? 'added' : ''}>{right.get(name) ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Flattens nested members; paths become names, such as `bank_account.iban`. */
function flattened(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [name, member] of Object.entries(value)) flattened(member, path ? `${path}.${name}` : name, found)
  else if (path) found.set(path, typeof value === 'string' ? value : JSON.stringify(value))
  return found
}
