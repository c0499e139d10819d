package thumbnail

import (
	"image"
	"image/draw"
)

// reduce returns a picture with its longer side at most as long as Side: each point is the mean of those that it stands
// for. It goes row by row, so that it needs little memory.
func reduce(whole image.Image) *image.RGBA {
	from := whole.Bounds()
	width, height := sizeOf(from.Dx(), from.Dy())
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	row := image.NewRGBA(image.Rect(0, 0, from.Dx(), 1))
	sums, counts := make([]uint32, 4*width), make([]uint32, width)
	for y := range height {
		clear(sums)
		clear(counts)
		for source := y * from.Dy() / height; source < (y+1)*from.Dy()/height; source++ {
			draw.Draw(row, row.Bounds(), whole, image.Pt(from.Min.X, from.Min.Y+source), draw.Src)
			for x := range from.Dx() {
				to, point := x*width/from.Dx(), row.Pix[4*x:4*x+4]
				counts[to]++
				for c, value := range point {
					sums[4*to+c] += uint32(value)
				}
			}
		}
		for i, sum := range sums {
			small.Pix[y*small.Stride+i] = uint8((sum + counts[i/4]/2) / counts[i/4])
		}
	}
	return small
}

// sizeOf returns the sizes of the thumbnail of a picture. It is never larger than the picture.
func sizeOf(width, height int) (int, int) {
	longer := max(width, height)
	if longer <= Side {
		return width, height
	}
	return max(1, width*Side/longer), max(1, height*Side/longer)
}

// turn returns a picture the way up that EXIF says.
func turn(lying *image.RGBA, by orientation) *image.RGBA {
	if by < 2 || by > 8 {
		return lying
	}
	width, height := lying.Bounds().Dx(), lying.Bounds().Dy()
	size := image.Rect(0, 0, width, height)
	if by.lies() {
		size = image.Rect(0, 0, height, width)
	}
	upright := image.NewRGBA(size)
	for y := range height {
		for x := range width {
			right, down := width-1-x, height-1-y
			to := [...]image.Point{
				2: {right, y}, 3: {right, down}, 4: {x, down}, 5: {y, x}, 6: {down, x}, 7: {down, right}, 8: {y, right},
			}[by]
			upright.SetRGBA(to.X, to.Y, lying.RGBAAt(x, y))
		}
	}
	return upright
}
