import { SaxesParser, type SaxesTagNS } from 'saxes'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { statementErrors } from './statement.errors.ts'

/** What happens while a file is read. Names are those without a prefix; `uri` says whose they are. */
export interface XmlListener {
  open(tag: { name: string; uri: string; attribute(name: string): string | undefined }): void
  text(text: string): void
  close(): void
}

/** How large the parts of a file may be. A statement of a bank comes nowhere near any of these. */
export interface XmlBounds {
  readonly depthMax: number
  readonly attributesMax: number
  /** Of one text, name, attribute, comment or instruction. */
  readonly partLengthMax: number
}

export const xmlBounds: XmlBounds = { depthMax: 40, attributesMax: 20, partLengthMax: 64 * 1024 }

export interface XmlReader {
  write(bytes: Uint8Array): void
  end(): void
  /** Where it is, for sentences that say what is wrong. */
  line(): number
}

/**
 * Reads XML piece by piece, and only what a bank has reason to write: UTF-8, no document type and so no entities of
 * one's own, nothing deeper, longer or more numerous than the bounds. The parser keeps what belongs to one event until
 * it is complete; so what it keeps is bounded by how far the last event lies back.
 */
export function xmlReader(listener: XmlListener, bounds: XmlBounds = xmlBounds): XmlReader {
  const parser = new SaxesParser({ xmlns: true })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [depth, attributes, lastEventAt] = [0, 0, 0]
  const refuse = (what: string, then = 'Have the bank export the statement again.'): never => {
    throw new ApiError(statementErrors.statement_unreadable, `Line ${parser.line}: ${what} ${then}`)
  }
  const onEvent = () => {
    lastEventAt = parser.position
  }
  parser.on('xmldecl', ({ encoding, version }) => {
    onEvent()
    if (version !== '1.0') refuse('the file is not XML 1.0.')
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      refuse('the file says that it is in another character set than UTF-8.', 'Export it in UTF-8.')
  })
  parser.on('doctype', () => refuse('the file has a document type (DOCTYPE), which is refused.'))
  parser.on('opentagstart', () => {
    onEvent()
    attributes = 0
  })
  parser.on('attribute', () => {
    onEvent()
    attributes += 1
    if (attributes > bounds.attributesMax) refuse(`an element has more than ${bounds.attributesMax} attributes.`)
  })
  parser.on('opentag', (tag) => {
    onEvent()
    depth += 1
    if (depth > bounds.depthMax) refuse(`elements are nested more than ${bounds.depthMax} deep.`)
    listener.open({ name: tag.local, uri: tag.uri, attribute: (name) => attributeOf(tag, name) })
  })
  parser.on('closetag', () => {
    onEvent()
    depth -= 1
    listener.close()
  })
  const onText = (text: string) => {
    onEvent()
    listener.text(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('comment', onEvent)
  parser.on('processinginstruction', onEvent)
  // Not the parser's own words: they may quote what stands in the file.
  parser.on('error', () => refuse('this is not well-formed XML.'))

  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      return refuse('there are bytes that are not UTF-8.', 'Export the statement in UTF-8.')
    }
  }
  return {
    line: () => parser.line,
    write: (bytes) => {
      // In pieces, so that the bound is noticed soon after it is passed.
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        parser.write(decode(bytes.subarray(start, start + pieceBytes)))
        if (parser.position - lastEventAt > bounds.partLengthMax)
          refuse(`a text, a name or an attribute has more than ${bounds.partLengthMax} characters.`)
      }
    },
    end: () => {
      parser.write(decode())
      if (depth > 0) refuse('the file ends in the middle.', 'It was cut off on its way: get it again, whole.')
      parser.close()
    },
  }
}

const pieceBytes = 16 * 1024

function attributeOf(tag: SaxesTagNS, name: string): string | undefined {
  return tag.attributes[name]?.value
}
