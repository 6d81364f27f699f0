import { type Static, Type } from 'typebox'

/** What an operation returns that answers a file; see `success.file` of its header. */
export const FileResponse = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9.-]{1,100}$', description: 'What the file is called when it is saved.' }),
  content: Type.String(),
})

export type FileResponse = Static<typeof FileResponse>

/** The header that names the file. Its name is ours and plain, so nothing in it needs to be quoted. */
export function fileHeaders({ name }: FileResponse): Record<string, string> {
  if (!/^[a-z0-9.-]{1,100}$/.test(name)) throw new Error('the name of a file has characters that a header cannot carry')
  return { 'content-disposition': `attachment; filename="${name}"` }
}
