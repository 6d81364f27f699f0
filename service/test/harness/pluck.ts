/** Returns one member of each item, to compare a list by what matters in it. */
export function pluck<Items extends readonly object[], Key extends keyof Items[number]>(
  items: Items,
  key: Key,
): Items[number][Key][] {
  return items.map((item: Items[number]) => item[key])
}
