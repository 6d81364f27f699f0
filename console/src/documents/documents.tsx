import { useTranslation } from 'react-i18next'
import { api, type Schemas } from '../api/client.ts'
import { type ListPage, type PageParameters, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, offeredActions, reasonField } from '../parts/actions.tsx'
import { actionsColumn, type Column, figureColumn, timeColumn } from '../parts/columns.tsx'
import { saveBlob } from '../parts/save-blob.ts'
import { TableCard } from '../parts/table-card.tsx'
import { type DocumentKind, UploadDocument } from './upload-document.tsx'

type Document = Schemas['Document']

interface DocumentsProps {
  readonly subjectId: string
  readonly fetchPage: (page: PageParameters) => Promise<ListPage<Document>>
  /** False if the person may not add documents. */
  readonly upload: false | ((kind: DocumentKind, file: File) => Promise<unknown>)
}

/** Files of an object. Their content is personal data: each download is recorded. */
export function Documents({ subjectId, fetchPage, upload }: DocumentsProps) {
  const { t } = useTranslation()
  const list = useList<Document>(['documents', subjectId], fetchPage)
  const actionsOf = useDocumentActions()
  const columns: Column<Document>[] = [
    { id: 'kind', header: t('documents.kind'), cell: ({ kind }) => t(`documents.kinds.${kind}`) },
    { id: 'type', header: t('documents.type'), width: 90, cell: ({ content_type: type }) => types[type].name },
    figureColumn('size', t('documents.size'), 90, ({ bytes }) => sizeText(bytes)),
    timeColumn('added', t('documents.added'), (one) => one.created_at),
    actionsColumn(t('parts.actions'), 150, actionsOf),
  ]
  return (
    <TableCard title={t('documents.title')} list={list} columns={columns} emptyText={t('documents.empty')}>
      {upload && <UploadDocument upload={upload} />}
    </TableCard>
  )
}

const types: Readonly<Record<Document['content_type'], { name: string; extension: string }>> = {
  'application/pdf': { name: 'PDF', extension: 'pdf' },
  'image/png': { name: 'PNG', extension: 'png' },
  'image/jpeg': { name: 'JPEG', extension: 'jpg' },
  'text/plain': { name: 'Text', extension: 'txt' },
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function useDocumentActions(): (document: Document) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, kind, content_type: type }) =>
    offeredActions([
      may('personal') && {
        id: 'download',
        label: t('documents.download'),
        consequence: t('documents.downloadText'),
        run: async () =>
          saveBlob(
            `${kind}-${id}.${types[type].extension}`,
            await api.download('/documents/{documentId}/download', { path: { documentId: id } }),
          ),
        done: t('documents.downloaded'),
      },
      may('compliance') && {
        id: 'delete',
        label: t('documents.delete'),
        isDangerous: true,
        consequence: t('documents.deleteText', { kind: t(`documents.kinds.${kind}`) }),
        fields: [reasonField(t)],
        run: (key, { reason = '' }) =>
          api.post('/documents/{documentId}/delete', { path: { documentId: id }, key, body: { reason } }),
        done: t('documents.deleted'),
      },
    ])
}
