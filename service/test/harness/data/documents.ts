import { spooled } from '../../../src/platform/api/declare/spool.ts'
import { uploadAccountDocument } from '../../../src/sales/documents/operator/upload-document.ts'
import { documentUpload } from '../../../src/sales/documents/store-document.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** Adds a text file to an account without HTTP. Returns its id. */
export function createDocument(
  installation: TestInstallation,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  text: string = crypto.randomUUID(),
): Promise<string> {
  async function* bytes() {
    yield Buffer.from(text)
  }
  return spooled(bytes(), { ...documentUpload, tenantId }, async (file) => {
    const direct = new DirectOperations(installation, tenantId)
    return (await direct.run(uploadAccountDocument, { params: { accountId }, file })).id
  })
}
