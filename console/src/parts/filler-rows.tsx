import { Skeleton } from '@mantine/core'

/** Takes the place of rows that are out of sight and therefore not rendered. */
export function Spacer({ height, columnCount }: { height: number; columnCount: number }) {
  return (
    <tr>
      <td className="spacer" colSpan={columnCount} style={{ height }} />
    </tr>
  )
}

const skeletonKeys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Placeholder rows of the real height, so that nothing jumps when the data arrives. */
export function SkeletonRows({ columnCount }: { columnCount: number }) {
  return skeletonKeys.map((key) => (
    <tr key={key}>
      <td colSpan={columnCount}>
        <Skeleton height={10} />
      </td>
    </tr>
  ))
}
