/** The options that send a file as it is. The API reads the content itself to find out what it is. */
export function fileBody(file: File) {
  return {
    // The type of the generated client is text, although any bytes are sent.
    body: file as unknown as string,
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': file.type || 'text/plain' },
  }
}
