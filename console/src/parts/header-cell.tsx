interface HeaderCellProps {
  readonly header: string
  readonly isRight?: boolean | undefined
  readonly isSorted?: boolean | undefined
  readonly direction?: string | undefined
  readonly onDirection?: ((direction: 'asc' | 'desc') => void) | undefined
}

/** Header of a column. It is a button if the list is sorted by it and can be reversed. */
export function HeaderCell({ header, isRight, isSorted, direction = 'desc', onDirection }: HeaderCellProps) {
  const className = isRight ? 'right' : ''
  if (!isSorted || !onDirection)
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    )
  const isDescending = direction === 'desc'
  return (
    <th scope="col" className={className} aria-sort={isDescending ? 'descending' : 'ascending'}>
      <button type="button" className="sort-button" onClick={() => onDirection(isDescending ? 'asc' : 'desc')}>
        {header} {isDescending ? '↓' : '↑'}
      </button>
    </th>
  )
}
