import { api } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Documents } from '../documents/documents.tsx'
import { fileBody } from '../documents/file-body.ts'

/** Prospectus and other files of an offering. */
export function OfferingDocuments({ offeringId }: { offeringId: string }) {
  const may = useMay()
  const path = { offeringId }
  return (
    <Documents
      subjectId={offeringId}
      fetchPage={(query) => api.get('/offerings/{offeringId}/documents', { path, query })}
      upload={
        may('offerings', offeringId) &&
        ((kind, file) => api.post('/offerings/{offeringId}/documents', { path, query: { kind }, ...fileBody(file) }))
      }
    />
  )
}
