export type Spot = { latitude: number; longitude: number };

/** Finds a place in what somebody has pasted: a link from a map, or two numbers. */
export function spotOf(text: string): Spot | undefined {
  const said = decoded(text);
  const number = '(-?\\d{1,3}(?:\\.\\d+)?)';
  const forms = [
    new RegExp(`!3d${number}!4d${number}`), // the place itself in a link of Google Maps, where @ is the middle of the map
    new RegExp(`@${number},${number}`),
    new RegExp(`[?&](?:q|ll|query|destination|daddr|mlat)=(?:loc:)?${number}(?:,\\s*|&mlon=)${number}`),
    new RegExp(`#map=\\d+/${number}/${number}`),
    new RegExp(`^geo:${number},${number}`),
    new RegExp(`^${number}(?:\\s*[,;]\\s*|\\s+)${number}$`),
  ];
  for (const form of forms) {
    const found = form.exec(said);
    const [latitude, longitude] = [Number(found?.[1]), Number(found?.[2])];
    if (found && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}
