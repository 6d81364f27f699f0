import { type Static, Type } from 'typebox'

/** The result of an operation that responds with a file; see `success.file` of its header. */
export const FileResponse = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9.-]{1,100}$', description: 'Name of the file when it is saved.' }),
  content: Type.String(),
})

export type FileResponse = Static<typeof FileResponse>

/** The header that names the file. We choose plain names, so nothing in them needs to be escaped. */
export function fileHeaders({ name }: FileResponse): Record<string, string> {
  if (!/^[a-z0-9.-]{1,100}$/.test(name))
    throw new Error(`file name ${name} contains a character that a header cannot carry`)
  return { 'content-disposition': `attachment; filename="${name}"` }
}
