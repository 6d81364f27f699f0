import { useTranslation } from 'react-i18next'
import { api, bodyOf, once, type Schemas } from '../api/client.ts'
import { type ListPage, type PageParameters, useList } from '../api/list.ts'
import { useMay } from '../api/me.ts'
import { type Action, Actions } from '../parts/actions.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { reasonField } from '../parts/reason-field.ts'
import { saveBlob } from '../parts/save-blob.ts'
import { Time } from '../parts/time.tsx'
import { type DocumentKind, UploadDocument } from './upload-document.tsx'

type Document = Schemas['Document']

interface DocumentsProps {
  readonly subjectId: string
  readonly fetchPage: (page: PageParameters) => Promise<ListPage<Document>>
  /** Absent if the person may not add documents. */
  readonly upload?: ((kind: DocumentKind, file: File) => Promise<unknown>) | undefined
}

/** Files of an object. Their content is personal data: each download is recorded. */
export function Documents({ subjectId, fetchPage, upload }: DocumentsProps) {
  const { t } = useTranslation()
  const list = useList<Document>(['documents', subjectId], fetchPage)
  const actionsOf = useDocumentActions()
  const columns: Column<Document>[] = [
    { id: 'kind', header: t('documents.kind'), cell: ({ kind }) => t(`documents.kinds.${kind}`) },
    { id: 'type', header: t('documents.type'), width: 90, cell: ({ content_type: type }) => typeNames[type] },
    { id: 'size', header: t('documents.size'), isRight: true, width: 90, cell: ({ bytes }) => sizeText(bytes) },
    { id: 'added', header: t('documents.added'), width: 140, cell: (one) => <Time time={one.created_at} isRelative /> },
    {
      id: 'actions',
      header: t('parts.actions'),
      width: 150,
      cell: (one) => <Actions actions={actionsOf(one)} isCompact />,
    },
  ]
  return (
    <section className="card">
      <h2>{t('documents.title')}</h2>
      {upload && <UploadDocument upload={upload} />}
      <DataTable
        label={t('documents.title')}
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        isShort
        emptyText={t('documents.empty')}
      />
    </section>
  )
}

const typeNames: Readonly<Record<Document['content_type'], string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'text/plain': 'Text',
}

const extensions: Readonly<Record<Document['content_type'], string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'text/plain': 'txt',
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function useDocumentActions(): (document: Document) => Action[] {
  const { t } = useTranslation()
  const may = useMay()
  return ({ id, kind, content_type: type }) =>
    [
      may('personal') && {
        id: 'download',
        label: t('documents.download'),
        consequence: t('documents.downloadText'),
        run: async () => {
          const params = { path: { documentId: id } }
          const content = await bodyOf(api.POST('/documents/{documentId}/download', { params, parseAs: 'blob' }))
          saveBlob(`${kind}-${id}.${extensions[type]}`, content as unknown as Blob)
        },
        done: t('documents.downloaded'),
      },
      may('compliance') && {
        id: 'delete',
        label: t('documents.delete'),
        isDangerous: true,
        consequence: t('documents.deleteText', { kind: t(`documents.kinds.${kind}`) }),
        fields: [reasonField(t)],
        run: (key: string, values: Readonly<Record<string, string>>) =>
          bodyOf(
            api.POST('/documents/{documentId}/delete', {
              params: { path: { documentId: id }, header: once(key) },
              body: { reason: values['reason'] ?? '' },
            }),
          ),
        done: t('documents.deleted'),
      },
    ].filter((action) => action !== false)
}
