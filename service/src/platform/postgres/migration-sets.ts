import { fileURLToPath } from 'node:url'

/** Each set has its own schema and migration table, so one database can contain all three. */
export type MigrationSet = 'base' | 'directory' | 'cell'

export function folderOf(set: MigrationSet): string {
  return fileURLToPath(new URL(`../../../migrations/${set}`, import.meta.url))
}
