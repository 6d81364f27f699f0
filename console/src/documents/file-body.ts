/** Returns options that send a file unchanged. The API detects the type from the content. */
export function fileBody(file: File) {
  return {
    // The generated client types the body as text, although it sends any bytes.
    body: file as unknown as string,
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': file.type || 'text/plain' },
  }
}
